"""ASGI and Django middleware in front of the views: limits, queues, probes, metrics, compression."""
