import type { ComponentChildren } from "preact";
import { Command } from "./command.tsx";

interface EmptyProps {
  /** A sentence, such as "No machine is connected yet." */
  readonly text: string;
  /** The command that makes the first one. */
  readonly command?: string;
  /** A button or a link that does. */
  readonly children?: ComponentChildren;
}

export function Empty({ text, command, children }: EmptyProps) {
  return (
    <div class="empty">
      <p>{text}</p>
      {children}
      {command === undefined ? null : <Command text={command} />}
    </div>
  );
}
