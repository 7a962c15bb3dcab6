import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleCli } from "../../infra/cli/build/bundle-cli.ts";
import { type Figure, median } from "./figure.ts";
import { openPlainStack } from "./plain-stack.ts";
import { sized } from "./sized.ts";

/** Measures the bundled `das` by this Node: from its start to its end, beside that of a Node with nothing to do. */
export async function measureCli(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-cli-"));
  const stack = await openPlainStack();
  try {
    const bundle = join(folder, "das.cjs");
    await bundleCli(bundle);
    const environment = { ...process.env, DAS_URL: stack.baseUrl, DAS_API_KEY: stack.apiKey };
    const lines = [
      ["-e", "0"],
      [bundle, "--help"],
      [bundle, "machines", "list"],
    ] as const;
    // The first of each fills caches of the system and of the stack; then they take turns.
    for (const line of lines) runMs(line, environment);
    const times = lines.map((): number[] => []);
    for (let round = 0; round < sized(20, 1); round += 1) {
      for (const [at, line] of lines.entries()) times[at]?.push(runMs(line, environment));
    }
    const [nothing = [], help = [], list = []] = times;
    return [
      { figure: "node -e 0, p50", measured: shown(nothing), target: "" },
      figureOf("das --help, p50", help, 120),
      figureOf("das machines list, p50", list, 300),
    ];
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true });
  }
}

function runMs(line: readonly string[], env: NodeJS.ProcessEnv): number {
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(process.execPath, line, { env, stdio: ["ignore", "pipe", "pipe"] });
  if (status !== 0) throw new Error(`das ended with ${status}: ${stderr}`);
  return performance.now() - startedMs;
}

function shown(times: readonly number[]): string {
  return `${median(times).toFixed(0)} ms`;
}

function figureOf(figure: string, times: readonly number[], msMax: number): Figure {
  const isReached = median(times) <= msMax;
  return { figure, measured: shown(times), target: `at most ${msMax} ms`, isReached };
}
