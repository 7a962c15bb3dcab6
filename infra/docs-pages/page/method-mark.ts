import { html } from "hono/html";
import type { Html } from "./html.ts";

const shortNames: Readonly<Record<string, string>> = { delete: "DEL" };

export function methodMark(method: string, form: "short" | "whole" = "whole"): Html {
  const name = (form === "short" ? shortNames[method] : undefined) ?? method.toUpperCase();
  return html`<span class="method ${method}">${name}</span>`;
}

/** A line may break before each part of a path. */
export function pathWords(path: string): Html {
  return html`${path.split("/").map((part, at) => (at === 0 ? "" : html`<wbr />/${part}`))}`;
}
