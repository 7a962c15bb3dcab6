import { element } from "../element.ts";
import { showCode } from "../shown-code.ts";
import type { SentCall } from "./send-call.ts";

const shownHeaders = ["content-type", "etag", "idempotency-status", "retry-after", "x-request-id"] as const;

let shownUrl: string | undefined;

export async function showResponse(
  place: Element,
  { response, ms, idempotencyKey }: SentCall,
): Promise<void> {
  if (shownUrl !== undefined) URL.revokeObjectURL(shownUrl);
  shownUrl = undefined;
  if (response.type === "opaqueredirect") {
    say(
      place,
      "307: the service leads to a link of the file. curl -L follows it; this page may not read the bucket.",
    );
    return;
  }
  const content = response.status === 204 || response.status === 304 ? undefined : await response.blob();
  const status = element(
    "code",
    { class: `status s${String(response.status).charAt(0)}` },
    String(response.status),
  );
  const facts = `${Math.round(ms)} ms${content === undefined ? "" : `, ${content.size.toLocaleString("en-US")} bytes`}`;
  const headers = shownHeaders.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [element("dt", {}, name), element("dd", {}, value)];
  });
  if (idempotencyKey !== undefined) {
    headers.unshift(element("dt", {}, "idempotency-key (sent)"), element("dd", {}, idempotencyKey));
  }
  place.replaceChildren(
    element("p", {}, status, ` ${response.statusText} `, element("small", {}, facts)),
    element("dl", {}, ...headers),
    ...(content === undefined || content.size === 0 ? [] : [await shownContent(content)]),
  );
}

export function say(place: Element, sentence: string): void {
  place.replaceChildren(element("p", { class: "failed" }, sentence));
}

async function shownContent(content: Blob): Promise<HTMLElement> {
  if (content.type.startsWith("image/")) {
    return element("img", { src: urlOf(content), alt: "The image of the response" });
  }
  if (!/json|^text\//.test(content.type)) {
    return element("a", { href: urlOf(content), download: "file" }, "Save the file");
  }
  const text = await content.text();
  const code = element("code");
  showCode(code, content.type.includes("json") ? JSON.stringify(JSON.parse(text), null, 2) : text);
  return element("pre", { tabindex: "0", role: "region", "aria-label": "The body of the response" }, code);
}

function urlOf(content: Blob): string {
  shownUrl = URL.createObjectURL(content);
  return shownUrl;
}
