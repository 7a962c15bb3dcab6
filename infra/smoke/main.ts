import { readFile } from "node:fs/promises";
import { runProgram, say } from "../operator/run-program.ts";
import { type Row, runSmoke } from "./run-smoke.ts";
import { everything } from "./steps.ts";

const timeoutSecondsDefault = 25;

const usage = `Tries a running service from outside, as its customers use it, in the organization of a key.

  npm run smoke -- --url URL --admin-key-file FILE

  --url URL                    the HTTP API's address
  --admin-key-file FILE        an API key with the scope admin
  --dashboard-token-file FILE  also tries a token of the dashboard's issuer
  --origin ORIGIN              also tries what a page of this origin may do
  --webhook-url URL            where a webhook is to be received; on this machine's stack it is received here
  --timeout SECONDS            bounds each call and wait (default: ${timeoutSecondsDefault})

Everything that it makes is named smoke-<id> and removed, also after a failure or ctrl-C. It ends with 0, with 1 after
naming the part to look at, or with 130 after ctrl-C.
`;

function showRow({ step, outcome, ms, note }: Row): void {
  say(`  ${step.padEnd(16)} ${outcome.padEnd(9)} ${String(ms).padStart(6)} ms  ${note}`.trimEnd());
}

async function readText(file: string, option: string): Promise<string> {
  const text = (await readFile(file, "utf8")).trim();
  if (text === "") throw new Error(`the file of ${option} is empty`);
  return text;
}

function timeoutMsOf(text: string | undefined): number {
  const seconds = text === undefined ? timeoutSecondsDefault : Number(text);
  if (seconds > 0 && seconds <= 600) return seconds * 1_000;
  throw new Error(`--timeout takes seconds, up to 600, not ${text}`);
}

const stopping = new AbortController();
process.once("SIGINT", () => {
  process.exitCode = 130;
  stopping.abort(new Error("ended by ctrl-C"));
});
process.once("SIGTERM", () => stopping.abort(new Error("ended by a signal")));

await runProgram({
  usage,
  options: {
    url: { type: "string" },
    "admin-key-file": { type: "string" },
    "dashboard-token-file": { type: "string" },
    origin: { type: "string" },
    "webhook-url": { type: "string" },
    timeout: { type: "string" },
  },
  async run({ values }) {
    const { url, origin, "admin-key-file": keyFile, "dashboard-token-file": tokenFile } = values;
    if (url === undefined || !URL.canParse(url)) throw new Error("--url says where the service is");
    if (keyFile === undefined) throw new Error("--admin-key-file says which organization");
    const timeoutMs = timeoutMsOf(values.timeout);
    const adminKey = await readText(keyFile, "--admin-key-file");
    const dashboardToken =
      tokenFile === undefined ? undefined : await readText(tokenFile, "--dashboard-token-file");
    const webhookUrl = values["webhook-url"];
    const { signal } = stopping;
    const { rows, failure } = await runSmoke(
      { url, adminKey, dashboardToken, origin, webhookUrl, timeoutMs, signal },
      everything,
      showRow,
    );
    const seconds = rows.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
    if (failure === undefined) say(`passed in ${seconds.toFixed(1)} s`);
    else {
      process.exitCode ??= 1;
      say(`failed: ${failure.message}\nlook at: ${failure.part}`, process.stderr);
    }
  },
});
