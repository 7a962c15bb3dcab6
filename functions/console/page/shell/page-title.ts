import { createStore } from "./store.ts";

const shown = createStore("");

/** The heading of the page that is shown. */
export const pageTitle = {
  ...shown,
  /** Whether this tab has been led from one page to another. */
  hasMoved: false,
  set: (title: string) => {
    document.title = `${title} · Console`;
    shown.set(title);
  },
};
