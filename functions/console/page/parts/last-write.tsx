import { lastWrite } from "../data/use-action.ts";
import { useStore } from "../shell/store.ts";
import { Command } from "./command.tsx";

/** The call that the last click made, to be repeated by a program. */
export function LastWrite() {
  const command = useStore(lastWrite);
  if (command === undefined) return null;
  return (
    <details class="last-write">
      <summary>API call of the last change</summary>
      <Command text={command} label="API call" />
    </details>
  );
}
