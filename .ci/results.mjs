// Reads the result files of the test runs, in the order of the runs: a later one takes the place of an earlier one, file
// by file. `failed`: prints the test files to be run once more. `summary`: prints what did not pass, and the counts.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

const [verb, ...resultFiles] = process.argv.slice(2);

const runs = resultFiles.map((file) => JSON.parse(readFileSync(file, "utf8")));
const files = new Map(runs.flatMap(({ testResults }) => testResults.map((each) => [each.name, each])));
const isBroken = ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0;
const hasFailed = (file) => isBroken(file) || file.assertionResults.some(({ status }) => status === "failed");

if (verb === "failed") {
  for (const file of files.values()) if (hasFailed(file)) console.log(relative(process.cwd(), file.name));
} else {
  const tests = [...files.values()].flatMap(({ assertionResults }) => assertionResults);
  const first = runs.flatMap(({ testResults }) => testResults.flatMap(({ assertionResults }) => assertionResults));
  const passed = new Set(tests.filter(({ status }) => status === "passed").map(({ fullName }) => fullName));
  // Enough to know why from the end of the log alone; nothing of a test is a secret.
  const show = (word, { fullName, failureMessages = [] }) => {
    console.log(`${word}: ${fullName}`);
    for (const message of failureMessages) console.log(stripVTControlCharacters(message).slice(0, 1_500));
  };
  for (const test of first) {
    if (test.status === "failed" && passed.has(test.fullName)) show("passed only when run once more", test);
  }
  for (const test of tests) if (test.status !== "passed") show(test.status, test);
  for (const file of files.values()) if (isBroken(file)) console.log(`failed: ${file.name}: ${file.message}`);
  const empty = runs.filter(({ numTotalTests }) => numTotalTests === 0).length;
  if (empty > 0) console.log("a run of the tests ran none");
  const skipped = tests.filter(({ status }) => status !== "passed" && status !== "failed").length;
  if (skipped > 0) console.log("a skipped test fails this run: everything that the tests need is installed here");
  const failed = tests.filter(({ status }) => status === "failed").length + [...files.values()].filter(isBroken).length;
  console.log(`${tests.filter(({ status }) => status === "passed").length} passed, ${failed + skipped + empty} failed`);
  process.exitCode = failed + skipped + empty > 0 ? 1 : 0;
}
