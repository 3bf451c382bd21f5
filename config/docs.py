"""Hooks of MkDocs that make a site of `docs/` in one language, DOCS_LANGUAGE, in the order of each folder's README."""

import logging
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jieba
from mkdocs.structure.files import File, Files

from tournament.help.order import INDEX, language_of, reading_order

LANGUAGE = os.environ.get("DOCS_LANGUAGE", "en")
NAMES = {"en": "English", "zh-hans": "简体中文", "zh-hant": "繁體中文"}
THEME_LANGUAGES = {"en": "en", "zh-hans": "zh", "zh-hant": "zh-Hant"}
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^```.*?^```|^#+ ([^\n]+)", re.DOTALL | re.MULTILINE)
"""A heading; code is matched to be passed over."""
ITEM = re.compile(r"(?:\d+\.|-) ")
CHINESE = re.compile(r"[\u3400-\u9fff]{2,}")


def on_config(config: Any) -> None:
    docs = Path(config.docs_dir)
    config.theme["language"] = THEME_LANGUAGES[LANGUAGE]
    config.mdx_configs["toc"] = {"slugify": anchor, "permalink": True}
    jieba.setLogLevel(logging.WARNING)
    for term in CHINESE.findall((docs / "developers" / "translating.md").read_text("utf-8")):
        jieba.add_word(term)
    config.nav = [f"{INDEX}.md", *({title(docs / folder): pages(docs / folder)} for folder in folders(docs))]


def folders(docs: Path) -> list[str]:
    """Return the folders that the first page links to, in its order."""
    links = (link[2].partition("/")[0] for link in LINK.finditer((docs / f"{INDEX}.md").read_text("utf-8")))
    return [folder for folder in dict.fromkeys(links) if folder and (docs / folder / f"{INDEX}.md").is_file()]


def title(folder: Path) -> str:
    return translation(folder / f"{INDEX}.md").read_text("utf-8").partition("\n")[0].removeprefix("# ")


def pages(folder: Path) -> list[str]:
    """Return a folder's pages in reading order, those without a translation last."""
    names = sorted(reading_order(folder), key=lambda name: not is_translated(folder / f"{name}.md"))
    return [f"{folder.name}/{name}.md" for name in names]


def is_translated(page: Path) -> bool:
    return LANGUAGE == "en" or translation(page) != page


def translation(page: Path) -> Path:
    """Return the translation of an English file, or the file itself."""
    translated = page.with_suffix(f".{LANGUAGE}.md")
    return translated if translated.is_file() else page


def anchor(heading: str, _separator: str = "-") -> str:
    """Return the anchor that GitHub gives a heading, as `tournament.help.selectors.anchors_of` does."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(page: Path) -> list[str]:
    return [anchor(heading[1]) for heading in HEADING.finditer(page.read_text("utf-8")) if heading[1]]


def on_files(files: Files, *, config: Any) -> None:
    """Put the text of each translation in the place of the English one."""
    for file in files.documentation_pages():
        language = language_of(file.src_uri)
        if language == "en":
            continue
        files.remove(file)
        if language == LANGUAGE:
            uri = file.src_uri.replace(f".{language}.", ".")
            files.remove(files.src_uris[uri])
            files.append(File.generated(config, uri, abs_src_path=file.abs_src_path))


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Files) -> str:
    """Adapt what is written for GitHub: anchors, links and lists."""
    original, language = Path(config.docs_dir, page.file.src_uri), language_of(page.file.abs_src_path)
    if language != "en":  # has the same headings in the same order, and gets the same anchors
        places = iter(anchors(original))
        markdown = HEADING.sub(
            lambda heading: f"{heading[0]} {{#{next(places)}}}" if heading[1] else heading[0], markdown
        )
    return indented(
        LINK.sub(lambda link: site_link(link, Path(page.file.abs_src_path), Path(config.docs_dir)), markdown)
    )


def site_link(link: re.Match[str], page: Path, docs: Path) -> str:
    """Return a link within the site; one that leaves the documentation becomes text."""
    text, target, place = link.groups(default="")
    if ":" in target:
        return link[0]
    if target.endswith("/"):
        target += f"{INDEX}.md"
    file = (page.parent / target).resolve() if target else page
    language = language_of(file.name)
    if (file.exists() and not file.is_relative_to(docs)) or language not in ("en", LANGUAGE):
        return text
    if place and language != "en":
        original = file.with_name(file.name.replace(f".{language}.", "."))
        place = dict(zip(anchors(file), anchors(original), strict=True)).get(unquote(place), place)
    return f"[{text}]({target.replace(f'.{language}.', '.')}{place and f'#{place}'})"


def indented(markdown: str) -> str:
    """Adapt lists to Python-Markdown: four spaces where GitHub is content with three, and a line before an item."""
    lines, is_code = [""], False
    for line in markdown.splitlines():
        is_code ^= line.startswith("```")
        if ITEM.match(line) and lines[-1].startswith("    ") and not is_code:
            lines.append("")
        lines.append(f" {line}" if line.startswith("   ") and not is_code else line)
    return "\n".join(lines)


def on_page_context(context: Any, *, page: Any, config: Any, nav: Any) -> None:
    """Lead to the same page in the other languages."""
    config.extra["alternate"] = [
        {"name": name, "link": f"../{language}/{page.url}", "lang": language}
        for language, name in NAMES.items()
    ]
