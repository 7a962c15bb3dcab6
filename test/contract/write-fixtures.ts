import { writeFileSync } from "node:fs";
import { demoFileOf, orderFile, orderFileOf } from "../support/execution/demo-file.ts";
import { recordDemo, recordOrder } from "../support/execution/demo-recording.ts";
import { readStoragePage, storagePage, withTableOfItems } from "../support/table-of-items.ts";
import { documentsToday, unexplainedChanges } from "./documents.ts";
import { inOrderOf, linesIn, readFixture, textOf, withToday, writeFixture } from "./fixture-files.ts";
import { binding } from "./frames/binding.ts";
import type { Exchange } from "./frames/exchange.ts";
import { recordExchanges } from "./frames/exchanges.ts";
import { type EventLine, type RowLine, recordTable } from "./table/record-table.ts";

/** The stacks are synthesized for a release alone. */
async function grantLinesToday(): Promise<readonly object[]> {
  const { grantLinesOf } = await import("../stacks/grant-lines.ts");
  const { makeServiceApp, templatesOf } = await import("../stacks/synthesize.ts");
  return grantLinesOf(templatesOf(makeServiceApp()).service);
}

const documents = await documentsToday();
const unexplained = Object.entries(documents).flatMap(([file, today]) => unexplainedChanges(file, today));
if (unexplained.length > 0) {
  console.error(
    "These changes would break a client. Give each a line in test/contract/fixtures/v1/CHANGES.md:\n",
  );
  for (const change of unexplained) console.error(`- \`${change}\`: why`);
  process.exit(1);
}
const { events, rows } = await recordTable();
const rowLines = inOrderOf(linesIn<RowLine>(readFixture("rows.jsonl")), rows);
const frameLines = withToday(
  linesIn<Exchange>(readFixture("frames.jsonl")),
  await recordExchanges(),
  binding,
);
const eventLines = withToday(linesIn<EventLine>(readFixture("events.jsonl")), events);
// Nothing is written unless everything may be.
writeFixture("frames.jsonl", textOf(frameLines));
writeFixture("events.jsonl", textOf(eventLines));
writeFixture("rows.jsonl", textOf(rowLines));
// The next release runs beside this one.
if (process.argv.includes("--release")) {
  writeFixture("rows-before.jsonl", textOf(rowLines));
  writeFixture("grants-before.jsonl", textOf(await grantLinesToday()));
}
for (const [file, today] of Object.entries(documents)) writeFixture(file, textOf([today]));
writeFileSync(storagePage, withTableOfItems(readStoragePage()));
// Pictures are encoded in threads that do not keep a process alive.
const alive = setInterval(() => undefined, 1_000);
writeFileSync("infra/local/demo/demo.json", demoFileOf(await recordDemo()));
writeFileSync(orderFile, orderFileOf(await recordOrder()));
clearInterval(alive);
