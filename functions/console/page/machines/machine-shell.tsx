import { useState } from "preact/hooks";
import { useAction } from "../data/use-action.ts";
import { Failure } from "../parts/failure.tsx";
import { Form } from "../parts/form/form.tsx";
import { TextField } from "../parts/form/text-field.tsx";

interface MachineShellProps {
  readonly machineId: string;
  readonly isConnected: boolean;
}

interface Ran {
  readonly id: number;
  readonly command: string;
  readonly output: string;
  readonly words: string;
}

const keptMax = 20;

/** Commands for the desktop's shell, each of its own: nothing stays between two, such as a folder. */
export function MachineShell({ machineId, isConnected }: MachineShellProps) {
  const { act, isBusy, error } = useAction();
  const [command, setCommand] = useState("");
  const [ran, setRan] = useState<readonly Ran[]>([]);
  const run = async () => {
    const done = await act(
      "executeCommand",
      { path: { machine_id: machineId }, body: { command } },
      { isQuiet: true },
    );
    if (done === undefined) return;
    const { stdout, stderr, exit_code, timeout_reached } = done.body;
    const words = timeout_reached ? "ended: it took too long" : `exit code ${exit_code ?? "none"}`;
    const id = (ran.at(-1)?.id ?? 0) + 1;
    setRan([
      ...ran.slice(1 - keptMax),
      { id, command, output: [stdout, stderr].filter(Boolean).join("\n"), words },
    ]);
    setCommand("");
  };
  return (
    <details class="panel fold">
      <summary>
        <h2>Shell</h2>
      </summary>
      {ran.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard.
        <section class="shell-output" tabIndex={0} aria-label="Output" aria-live="polite">
          {ran.map(({ id, command: given, output, words }) => (
            <pre key={id}>
              <b>$ {given}</b>
              {`\n${output}`}
              <i>{words}</i>
            </pre>
          ))}
        </section>
      )}
      <Form
        onSubmit={() => {
          if (command.trim() !== "") void run();
        }}
      >
        <TextField
          label="Command"
          hint="Runs as the driver's shell user, for at most 15 s."
          class="code"
          value={command}
          autoComplete="off"
          autocapitalize="off"
          spellcheck={false}
          disabled={!isConnected}
          onKeyDown={(event) => {
            if (event.key === "ArrowUp" && command === "") setCommand(ran.at(-1)?.command ?? "");
          }}
          onText={setCommand}
        />
        {error === undefined ? null : <Failure error={error} />}
        <button type="submit" disabled={isBusy || !isConnected}>
          {isBusy ? "Running …" : "Run"}
        </button>
      </Form>
    </details>
  );
}
