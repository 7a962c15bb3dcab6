import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const axeFile = fileURLToPath(new URL("../../../node_modules/axe-core/axe.min.js", import.meta.url));

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

let axe: Promise<string> | undefined;

/** A dark page is the same page in other colors. */
export const rulesOfColors: readonly string[] = ["color-contrast", "link-in-text-block"];

/**
 * Axe comes into the page by the debugger, which the page's policy does not concern.
 *
 * @param only rules of their own; without them all that WCAG 2.2 AA and good practice ask for.
 */
export async function axeViolations(page: Page, only?: readonly string[]): Promise<readonly string[]> {
  axe ??= readFile(axeFile, "utf8");
  await page.evaluate(`if (!window.axe) { ${await axe} }`);
  const rules = {
    runOnly: only ?? ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  };
  const found = await page.evaluate<Violation[]>(
    `axe.run(document, ${JSON.stringify(rules)}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
