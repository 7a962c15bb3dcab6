import type { Context } from "../program/context.ts";
import { styled } from "../terminal/style.ts";
import type { FollowedRun, RunFollower } from "./follow-run.ts";
import { barLine } from "./progress-bar.ts";
import { stateOf, stepLine, stepWords } from "./run-words.ts";

const eraseLine = "\r\u001b[2K";

export interface RunView extends RunFollower {
  /** Takes the bar away and keeps lines back while something is asked. */
  pause(): void;
  resume(): void;
  /** Shows what was kept back, and no bar any more. */
  end(): void;
}

/** Shows a run as it goes on: lines for people with a bar below them, or lines of JSON for programs. */
export function runView({ terminal, form }: Pick<Context, "terminal" | "form">): RunView {
  return form === "table" ? linesView(terminal) : eventsView(terminal);
}

function eventsView(terminal: Context["terminal"]): RunView {
  const write = (event: unknown) => terminal.out(`${JSON.stringify(event)}\n`);
  let shown = "";
  return {
    onRun: (run) => {
      const text = JSON.stringify(run);
      if (text !== shown) write({ event: "run", run });
      shown = text;
    },
    onStep: (step) => write({ event: "step", step }),
    pause: () => {},
    resume: () => {},
    end: () => {},
  };
}

function linesView(terminal: Context["terminal"]): RunView {
  const { columns, hasColour, isInteractive } = terminal;
  const hasBar = columns !== undefined && isInteractive && terminal.environment.TERM !== "dumb";
  const kept: string[] = [];
  let isPaused = false;
  let bar = "";
  let state = "";
  const erase = () => {
    if (bar !== "") terminal.err(eraseLine);
  };
  const draw = () => {
    if (bar !== "") terminal.err(bar);
  };
  const write = (lines: readonly string[]) => {
    if (isPaused) {
      kept.push(...lines);
      return;
    }
    erase();
    terminal.out(lines.map((line) => `${line}\n`).join(""));
    draw();
  };
  const flush = () => {
    isPaused = false;
    terminal.out(
      kept
        .splice(0)
        .map((line) => `${line}\n`)
        .join(""),
    );
  };
  const showState = (run: FollowedRun) => {
    const isOver = run.status !== "running" && run.status !== "scheduling";
    const next = isOver ? "" : stateOf(run, terminal.now());
    // The distance of a time would make another line of the same state.
    const key = next.replace(/ \(in [^)]*\)/, "");
    if (key === state) return;
    state = key;
    if (next === "") return;
    write([styled("bold", next, hasColour), ...answerHint(run)]);
  };
  return {
    onRun: (run) => {
      showState(run);
      if (!hasBar) return;
      const next = barLine(run, columns);
      if (next === bar) return;
      if (!isPaused) erase();
      bar = next;
      if (!isPaused) draw();
    },
    onStep: (step) => {
      const colour = step.status === "done" ? undefined : "red";
      const line = stepLine(step);
      write([
        colour === undefined ? line : styled(colour, line, hasColour),
        ...stepWords(step).map((words) => styled("dim", words, hasColour)),
      ]);
    },
    pause: () => {
      erase();
      isPaused = true;
    },
    resume: () => {
      flush();
      draw();
    },
    end: () => {
      if (!isPaused) erase();
      bar = "";
      flush();
    },
  };
}

function answerHint({ id, held }: FollowedRun): readonly string[] {
  if (held?.by.kind !== "model") return [];
  return [`     das runs resume ${id} --note "your answer"`];
}
