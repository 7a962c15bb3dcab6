import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { type Advisory, AuditExceptions, judgeAudit, readAdvisories } from "./judge-audit.ts";

/**
 * Compares the lock file with the registry's advisories: prints all of them, and fails for one that concerns a package
 * in production and is not in `exceptions.json`.
 */
async function main(): Promise<void> {
  const exceptions = AuditExceptions.parse(
    JSON.parse(await readFile(new URL("exceptions.json", import.meta.url), "utf8")),
  );
  const [all, ofProduction] = await Promise.all([audit(), audit("--omit=dev")]);
  if (all === undefined || ofProduction === undefined) {
    console.log("audit: the registry offers no advisories here, so that nothing was compared");
    return;
  }
  const today = new Date().toISOString().slice(0, 10);
  const { failing, reported, unused } = judgeAudit({ all, ofProduction }, exceptions, today);
  for (const advisory of reported) console.log(`audit: known or not in production: ${lineOf(advisory)}`);
  for (const id of unused) console.log(`audit: the exception ${id} is not needed any more`);
  for (const advisory of failing) console.error(`audit: in production: ${lineOf(advisory)}`);
  console.log(
    `audit: ${all.length} advisories, ${failing.length} of them in production without an exception`,
  );
  if (failing.length > 0) process.exitCode = 1;
}

function lineOf({ id, packageName, severity, title }: Advisory): string {
  return `${packageName}: ${title} (${severity}, ${id})`;
}

/** npm exits with 1 both for findings and when it cannot audit; only its output shows which. */
async function audit(...options: readonly string[]): Promise<readonly Advisory[] | undefined> {
  const output = await new Promise<string>((resolve) => {
    execFile(
      "npm",
      ["audit", "--json", "--package-lock-only", ...options],
      { maxBuffer: 64 << 20 },
      (_error, text) => resolve(text),
    );
  });
  try {
    return readAdvisories(JSON.parse(output));
  } catch {
    return undefined;
  }
}

await main();
