import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createLogWriter, type LogWriter } from "./lambda/log-writer.ts";
import type { LocalMetrics } from "./local-metrics.ts";

const kept = 10;

/** Removes the oldest logs of stacks that have ended. */
export async function openStackLog(
  root: string,
  echo: ((text: string) => void) | undefined,
  metrics: Pick<LocalMetrics, "take">,
): Promise<{ readonly file: string; readonly writer: LogWriter }> {
  const folder = join(root, ".local", "logs");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const aged = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => undefined);
      return { name, changedAtMs: found?.mtimeMs ?? 0 };
    }),
  );
  const ended = aged.filter(({ name }) => !isOfRunningStack(name));
  const old = ended.sort((a, b) => b.changedAtMs - a.changedAtMs).slice(kept - 1);
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })));
  const moment = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const file = join(folder, `${moment}-${process.pid}.log`);
  return { file, writer: createLogWriter(file, echo, (line) => metrics.take(line)) };
}

function isOfRunningStack(name: string): boolean {
  const [, pid] = /-(\d+)\.log$/.exec(name) ?? [];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}
