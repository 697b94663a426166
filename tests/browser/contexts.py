"""Browser contexts that are kept from test to test and emptied in between.

The first page of a context fetches and compiles 13 MB of scripts, which takes 5 s of processor time; a later one
runs in the same process (chromium.py says --process-per-site) and takes half of that. Each kept context has a second
page, which shows nothing and holds that process.

What a test may leave behind is emptied: pages, cookies, storage, permissions. Routes and init scripts belong on the
page, which ends with its test; on the context they would stay.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.helpers import SKIP_INTRODUCTION, TIMEOUT

KEPT = 4  # each holds a process of about 100 MB
QUIET = "/_stcore/health"  # an address of the app that loads nothing


@dataclass(eq=False)
class _Kept:
    context: BrowserContext
    holder: Page
    url: str
    kind: str

    def empty(self) -> None:
        for page in self.context.pages:
            if page is not self.holder:
                page.close()
        self.context.clear_cookies()
        self.context.clear_permissions()
        self.context.new_cdp_session(self.holder).send(
            "Storage.clearDataForOrigin", {"origin": self.url, "storageTypes": "all"}
        )


class Contexts:
    """Lends pages; no two pages that are open at the same time share a context."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: list[_Kept] = []  # the last given back comes last
        self._lent: dict[Page, _Kept] = {}

    def page(self, url: str, *, first_visit: bool, **options: Any) -> Page:
        """A new page of an empty context whose relative addresses are below `url`."""
        kind = json.dumps([url, first_visit, options], sort_keys=True)
        kept = next((kept for kept in reversed(self._free) if kept.kind == kind), None)
        if kept:
            self._free.remove(kept)
        else:
            kept = self._new(url, kind, first_visit, options)
        page = kept.context.new_page()
        self._lent[page] = kept
        return page

    def _new(self, url: str, kind: str, first_visit: bool, options: dict[str, Any]) -> _Kept:
        context = self._browser.new_context(base_url=url, **options)
        context.set_default_timeout(TIMEOUT)
        if not first_visit:
            context.add_init_script(SKIP_INTRODUCTION)
        holder = context.new_page()
        holder.goto(QUIET)
        return _Kept(context, holder, url, kind)

    def give_back(self, page: Page, *, keep: bool = True) -> None:
        """End the page and empty its context; keep=False ends that too."""
        kept = self._lent.pop(page)
        if not keep:
            kept.context.close()
            return
        kept.empty()
        self._free.append(kept)
        if len(self._free) > KEPT:
            self._free.pop(0).context.close()
