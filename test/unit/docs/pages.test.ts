import { describe, expect, it } from "vitest";
import { changelogPage } from "../../../infra/docs-pages/changelog-page.ts";
import { compatibilityPage } from "../../../infra/docs-pages/compatibility-page.ts";
import { overviewForModels } from "../../../infra/docs-pages/overview-for-models.ts";
import { blocks } from "../../../infra/docs-pages/page/html.ts";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import { defineOperations } from "../../../shared/contract/operations/operation.ts";

const assets = { script: "/s.js", style: "/s.css", search: "/s.json" };

describe("the changelog", () => {
  const changes = [
    "# Heading\n\n- `request Example.field: is gone`: an example.\n",
    "### 2026-11-24\n\n- `one: is gone`: of the reason\n- `two: is gone`: of the reason\n- `three: <b>`: `x` is y\n",
    "### 2026-11-27\n\n- Added: a `name`.\n- `four: is gone`: why & how\n",
  ];

  it("shows the days, the newest first, each with its additions and its changes by their reason", async () => {
    const html = await changelogPage(changes.join("\n"), assets);
    const text = html.slice(html.indexOf("<h2>")).replace(/\s+/g, " ");
    expect(text.slice(0, text.indexOf("</main>")).trim()).toBe(
      "<h2><time>2026-11-27</time></h2> <h3>Added</h3><ul><li>a <code>name</code>.</li></ul> <h3>Changed</h3> " +
        "<p>Why &amp; how.</p><ul><li><code>four: is gone</code></li></ul>" +
        "<h2><time>2026-11-24</time></h2> <h3>Changed</h3> " +
        "<p>Of the reason.</p><ul><li><code>one: is gone</code></li><li><code>two: is gone</code></li></ul>" +
        "<p><code>x</code> is y.</p><ul><li><code>three: &lt;b&gt;</code></li></ul>",
    );
  });

  it("keeps a long list of places closed", async () => {
    const lines = [1, 2, 3, 4].map((place) => `- \`place ${place}\`: reason`);
    const html = await changelogPage(`### 2026-11-24\n\n${lines.join("\n")}\n`, assets);
    expect(html).toContain("<details><summary>4 places</summary><ul><li><code>place 1</code>");
  });

  it("is not made with a line that it would leave out", async () => {
    await expect(changelogPage("### 2026-11-24\n\n- no place: a reason\n", assets)).rejects.toThrow(
      "no place",
    );
  });
});

it("the page of compatibility lists the operations that go away, with what to use in their place", async () => {
  const common = { access: "public", method: "GET", summary: "Reads", responses: {} } as const;
  const end = { deprecatedOn: "2027-01-15", goneOn: "2028-01-15", instead: "Use `GET /new`." } as const;
  const operations = defineOperations("Health", [
    { ...common, id: "readOld", path: "/old", end },
    { ...common, id: "readNew", path: "/new" },
  ]);
  const html = await compatibilityPage(operations, assets);
  expect(html.slice(html.indexOf("What goes away now"))).toContain(
    "<ul><li><code>GET /old</code>: deprecated since 2027-01-15, until 2028-01-15. Use <code>GET /new</code>.</li></ul>",
  );
});

it("the overview for models has the form of llmstxt.org, with each document and operation in one line", async () => {
  const text = overviewForModels(await openApiDocument(allOperations));
  expect(text).toMatch(/^# Desktop Automation Service\n\n> Automates .+\n\n- /);
  expect(text).toContain("`Authorization: Bearer <API key>`");
  const [, ...sections] = text.split(/^## /m);
  const lines = sections.flatMap((section) => section.trim().split("\n").slice(2));
  const named = lines.map((line) => /^- \[(.+?)\]\(\/[^\s)]*\): \S.*$/.exec(line)?.[1]);
  expect(named.toSorted()).toEqual(
    allOperations
      .filter(({ path }) => !path.startsWith("/docs/"))
      .map(({ method, path, tag }) => (tag === "Documentation" ? path : `${method} ${path}`))
      .toSorted(),
  );
});

it.each([
  ["`a<b>` & c", "<p><code>a&lt;b&gt;</code> &amp; c</p>"],
  ["one\n\ntwo [three](/four)", '<p>one</p><p>two <a href="/four">three</a></p>'],
  ["Codes:\n\n- `a`: b\n  c\n- d_e_f", "<p>Codes:</p><ul><li><code>a</code>: b\n  c</li><li>d_e_f</li></ul>"],
])("the description %j is %s", async (text, shown) => {
  expect(String(await blocks(text))).toBe(shown);
});

it("descriptions use no other Markdown than the pages know", async () => {
  const texts = JSON.stringify(await openApiDocument(allOperations)).matchAll(
    /"description":"((?:[^"\\]|\\.)*)"/g,
  );
  const unknown = [...texts]
    .map(([, text]) => JSON.parse(`"${text}"`).replaceAll(/`[^`]*`/g, ""))
    .filter((text) => /\*\*|^#{3,} |^\d+\. |^\||^>|!\[|```/m.test(text));
  expect(unknown).toEqual([]);
});
