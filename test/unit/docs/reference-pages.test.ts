import { describe, expect, it } from "vitest";
import { referencePages } from "../../../infra/docs-pages/reference-pages.ts";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";

const assets = { script: "/docs/assets/s.js", style: "/docs/assets/s.css", search: "/docs/assets/s.json" };
const document = await openApiDocument(allOperations);
const pages = new Map(
  (await referencePages(document, assets)).map(({ address, html }) => [address, html] as const),
);

function pageOf(address: string): string {
  const html = pages.get(address);
  if (html === undefined) throw new Error(`there is no page ${address}`);
  return html;
}

function textOf(html: string): string {
  return html
    .replaceAll(/<wbr \/>|<\/?(?:i|b|code|span|a)\b[^>]*>/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
}

describe("the reference's pages", () => {
  it("are one for each operation, webhook and schema, beside the overview and three sections", () => {
    const { webhooks = {}, components } = document;
    const expected = [
      "/docs",
      "/docs/conventions",
      "/docs/webhooks",
      "/docs/schemas",
      ...allOperations.map(({ id }) => `/docs/operations/${id}`),
      ...Object.keys(webhooks).map((type) => `/docs/webhooks/${type}`),
      ...Object.keys(components?.schemas ?? {}).map((name) => `/docs/schemas/${name}`),
    ];
    expect([...pages.keys()].toSorted()).toEqual(expected.toSorted());
  });

  it("lead to each other, and to places in them that are there", () => {
    const others = ["/changelog", "/compatibility", "/openapi.json", "/asyncapi.json", "/console"];
    const broken = [...pages].flatMap(([address, html]) =>
      [...html.matchAll(/ href="([^"]*)"/g)].flatMap(([, link = ""]) => {
        const [path = "", place] = link.split("#");
        const page = pages.get(path === "" ? address : path);
        const isThere =
          page === undefined
            ? [...others, ...Object.values(assets), "data:,"].includes(path)
            : place === undefined || page.includes(` id="${place}"`);
        return isThere ? [] : [`${address}: ${link}`];
      }),
    );
    expect([...new Set(broken)]).toEqual([]);
  });

  it("show an operation's parameters, body and responses without a script", () => {
    const text = textOf(pageOf("/docs/operations/createRun"));
    expect(text).toContain("Starts a run of a workflow POST/v1/runs");
    expect(text).toContain("Scope: write.");
    expect(text).toMatch(/in it is __proto__\. workflow_id string \(uuid\) required The workflow/);
    expect(text).toMatch(/is_priority boolean or null Whether .+? default false/);
    expect(text).toContain("Idempotency-Key string Makes the request happen at most once");
    expect(text).toMatch(/201 The run, which waits\. id string \(uuid\) The run&#39;s id\./);
    expect(text).toMatch(/422 .+idempotency_key_reused: This Idempotency-Key was used/);
  });

  it.each(allOperations.map(({ id, method, path }) => ({ id, method, path })))(
    "have a sample of $id in curl, TypeScript and Python",
    ({ id, method, path }) => {
      const html = pageOf(`/docs/operations/${id}`);
      const samples = ["curl", "typescript", "python"].map((language) => {
        const [, sample = ""] = html.split(`<div class="sample ${language}">`);
        return textOf(sample.slice(0, sample.indexOf("</pre>")));
      });
      const [curl = "", typeScript = "", python = ""] = samples;
      expect(curl).toContain(`https://api.example.com${path.split("{")[0]}`);
      expect(curl.includes(`-X ${method}`)).toBe(method !== "GET");
      expect(typeScript).toContain(`client.call(&quot;${id}&quot;`);
      expect(python).toMatch(/client\.[a-z_]+\(/);
    },
  );

  it("fill nothing into the form that tries a call", () => {
    const [, form = ""] = pageOf("/docs/operations/listMachines").split("<form ");
    const controls = form.slice(0, form.indexOf("</form>"));
    expect(controls).toContain('id="try.query.search"');
    expect(controls).toContain('placeholder="front"');
    expect(controls).not.toMatch(/<(input|select|textarea)[^>]* value="[^"]/);
    expect(controls).not.toContain("Idempotency-Key</code>");
  });

  it("keep webhooks apart from operations", () => {
    const overview = textOf(pageOf("/docs").split("<main")[1] ?? "");
    expect(overview).not.toContain("Sends run.created");
    expect(textOf(pageOf("/docs/webhooks/run.created"))).toContain(
      "The service sends a POST to your endpoint.",
    );
  });
});
