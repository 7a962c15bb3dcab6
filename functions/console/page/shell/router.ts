import { pageTitle } from "./page-title.ts";
import { hrefOf, isOfConsole, type Place, placeOf } from "./place.ts";
import { createStore, useStore } from "./store.ts";

const place = createStore<Place>(placeOf(location));

export function usePlace(): Place {
  return useStore(place);
}

/** Goes to an address of the console; `replace` leaves no entry in the browser's history. */
export function navigate(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  pageTitle.hasMoved = true;
  place.set(placeOf(location));
}

/** Changes filters in the address, where others can find them; `undefined` removes one. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { section, item, query } = place.get();
  navigate(hrefOf(section, item, { ...query, ...changes }), { replace: true });
}

/** Links are plain `<a href>`: what opens a new tab, and what a screen reader says, stays the browser's. */
export function startRouter(): void {
  addEventListener("popstate", () => {
    pageTitle.hasMoved = true;
    place.set(placeOf(location));
  });
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (event.defaultPrevented || !isPlain || link === null) return;
    if (link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (!isOfConsole(link.pathname) || link.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    navigate(link.href);
  });
}
