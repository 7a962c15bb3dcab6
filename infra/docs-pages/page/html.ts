import { html } from "hono/html";

export type Html = ReturnType<typeof html>;

export const nothing = html``;

/**
 * Paragraphs and lists of a description. Descriptions are Markdown, of which these pages know what descriptions use: code,
 * links, lists and paragraphs; all else is shown as it is written.
 */
export function blocks(text: string): Html {
  return html`${text
    .trim()
    .split(/\n\s*\n/)
    .map(block)}`;
}

function block(text: string): Html {
  const [before = "", ...items] = text.split(/(?:^|\n)- /);
  const paragraph = before.trim() === "" ? nothing : html`<p>${inline(before)}</p>`;
  return items.length === 0
    ? paragraph
    : html`${paragraph}<ul>${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`;
}

/** A text without paragraphs of its own: code in backticks, and links. */
export function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : codeOrLink(part)))}`;
}

function codeOrLink(part: string): Html {
  const [, text, address] = /^\[([^\]]+)\]\((.+)\)$/.exec(part) ?? [];
  return text === undefined
    ? html`<code>${part.slice(1, -1)}</code>`
    : html`<a href="${address}">${text}</a>`;
}
