import { createHash } from "node:crypto";
import { screenSettledHeader } from "../../shared/contract/computer/computer.ts";
import type { Watched } from "../../shared/domain/computer/watch-screen.ts";
import type { HttpContext } from "../../shared/http/http-env.ts";
import { isAmong } from "../../shared/http/request/entity-tags.ts";
import { fullRetryAfterSeconds } from "../../shared/vocabulary/following.ts";

/** The driver's own tag, or one of the picture's bytes. */
export async function presentLook(
  c: HttpContext,
  { screenshot, etag, isEarly }: Watched,
  unless: readonly string[],
): Promise<Response> {
  // The rate limit's refusal says nothing of a picture.
  await c.get("admission");
  const tag = etag ?? (screenshot && tagOf(screenshot.png));
  if (tag !== undefined) c.header("ETag", tag);
  if (screenshot === undefined || (tag !== undefined && isAmong(unless, tag))) {
    if (isEarly) c.header("Retry-After", String(fullRetryAfterSeconds));
    return c.body(null, 304);
  }
  const { png, isSettled } = screenshot;
  return c.body(Uint8Array.from(png), 200, {
    "Content-Type": "image/png",
    ...(isSettled !== undefined && { [screenSettledHeader]: String(isSettled) }),
  });
}

function tagOf(png: Uint8Array): string {
  return `"${createHash("sha256").update(png).digest("base64url").slice(0, 22)}"`;
}
