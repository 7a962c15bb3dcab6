import { createHash } from "node:crypto";
import type { ConsoleSettings } from "../../shared/contract/console.ts";
import type { HttpContext } from "../../shared/http/http-env.ts";
import { entityTagsIn, isAmong } from "../../shared/http/request/entity-tags.ts";
import type { ShippedFiles } from "../../shared/http/shipped/shipped-files.ts";

/** The page names the files of its release, so it is asked for each time. */
const cacheControl = "no-cache";

/** `infra/bundle` writes it into the page's `<meta name="console">`. */
const placeholder = "CONSOLE_SETTINGS";

/** The page is small, and complete only with the deployment's settings; so it is made once in an instance, and not compressed. */
export function createConsolePage(
  files: ShippedFiles,
  settings: ConsoleSettings,
): (c: HttpContext) => Promise<Response> {
  let made: { readonly html: string; readonly etag: string } | undefined;
  const make = async () => {
    const shipped = await files.find("index.html")?.read(undefined);
    const json = JSON.stringify(settings).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const html = new TextDecoder().decode(shipped).replace(placeholder, () => json);
    const digest = createHash("sha256").update(html).digest("base64url").slice(0, 22);
    return { html, etag: `W/"${digest}"` };
  };
  return async (c) => {
    made ??= await make();
    const { html, etag } = made;
    c.header("ETag", etag);
    c.header("Cache-Control", cacheControl);
    if (isAmong(entityTagsIn(c.req.header("if-none-match")), etag)) return c.body(null, 304);
    return c.html(html);
  };
}
