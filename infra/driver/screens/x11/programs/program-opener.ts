import { setTimeout as sleep } from "node:timers/promises";
import { programOpenMsMax } from "../../../../../shared/contract/computer/computer.ts";
import { Refusal } from "../../../answer.ts";
import type { InputOf, ResultOf } from "../../../desktops/desktop-operations.ts";
import { type ListedProgram, requireListed } from "../../../programs/listed-program.ts";
import type { ProgramWindow, ProgramWindows } from "./program-windows.ts";
import { hasEnded, StartedProgram, sendSignal } from "./started-program.ts";

/** This time is reserved for the window's first pictures. */
const settleMsMax = 2_000;
const closeMs = 3_000;
const endMs = 1_000;
const checkMs = 50;

export interface ProgramDisplay {
  readonly windows: ProgramWindows;
  settle(ms: number): Promise<void>;
}

export class ProgramOpener {
  readonly programs: readonly ListedProgram[];
  readonly #display: string;
  readonly #started = new Map<string, StartedProgram>();

  constructor(programs: readonly ListedProgram[], display: string) {
    this.programs = programs;
    this.#display = display;
  }

  async open(
    { windows, settle }: ProgramDisplay,
    { program: name, if_open: ifOpen }: InputOf<"openProgram">,
    signal: AbortSignal,
  ): ResultOf<"openProgram"> {
    const program = requireListed(this.programs, name);
    const endsAt = performance.now() + programOpenMsMax;
    const open = await this.#windowsOf(program, windows);
    const wasOpen = open.length > 0 || this.#isRunning(program);
    if (wasOpen && ifOpen === "restart") await this.#close(program, windows, signal);
    if (!wasOpen || ifOpen === "restart") {
      this.#started.set(name, await StartedProgram.start(program, this.#display));
    }
    const shown = await this.#awaitWindows(program, windows, endsAt - settleMsMax, signal);
    await windows.activate(shown);
    await settle(Math.max(0, Math.min(settleMsMax, endsAt - performance.now())));
    return { was_open: wasOpen, is_shown: shown.length > 0 };
  }

  #isRunning({ name }: ListedProgram): boolean {
    return this.#started.get(name)?.isRunning === true;
  }

  async #windowsOf(
    { name, window }: ListedProgram,
    windows: ProgramWindows,
  ): Promise<readonly ProgramWindow[]> {
    const started = this.#started.get(name);
    if (window === undefined && started === undefined) return [];
    const isOf =
      window === undefined
        ? ({ pid }: ProgramWindow) => pid !== undefined && started?.owns(pid) === true
        : ({ names }: ProgramWindow) => names.includes(window);
    return (await windows.all()).filter(isOf);
  }

  async #awaitWindows(
    program: ListedProgram,
    windows: ProgramWindows,
    until: number,
    signal: AbortSignal,
  ): Promise<readonly ProgramWindow[]> {
    for (;;) {
      const failure = this.#started.get(program.name)?.failure;
      const shown = await this.#windowsOf(program, windows);
      if (shown.length > 0) return shown;
      if (failure !== undefined) {
        const words = `${program.name} ${failure} before it showed a window`;
        throw new Refusal(502, "program_ended", words);
      }
      if (performance.now() > until) return [];
      await sleep(checkMs, undefined, { signal });
    }
  }

  /** @throws {Refusal} 502 where the program cannot be ended. */
  async #close(program: ListedProgram, windows: ProgramWindows, signal: AbortSignal): Promise<void> {
    const open = await this.#windowsOf(program, windows);
    const pids = new Set(open.flatMap(({ pid }) => pid ?? []));
    for (const window of open) await windows.requestClose(window);
    const left = async () => await this.#windowsOf(program, windows);
    // A process that is about to end would mistake the next start's window for its own.
    const isOver = async () =>
      (await left()).length === 0 && !this.#isRunning(program) && [...pids].every(hasEnded);
    if (await within(closeMs, isOver, signal)) return;
    const isClosed = async () => (await left()).length === 0 && !this.#isRunning(program);
    for (const ending of ["SIGTERM", "SIGKILL"] as const) {
      for (const { pid } of await left()) if (pid !== undefined) sendSignal(pid, ending);
      const started = this.#started.get(program.name);
      if (started?.isRunning && started.pid !== undefined) sendSignal(-started.pid, ending);
      if (await within(endMs, isClosed, signal)) return;
    }
    throw new Refusal(502, "program_not_closed", `${program.name} is open and could not be closed`);
  }
}

async function within(ms: number, isSo: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const until = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > until) return false;
    await sleep(checkMs, undefined, { signal });
  }
  return true;
}
