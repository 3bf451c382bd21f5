"""The whole site as one installed package, or the checkout that this folder lies in."""
