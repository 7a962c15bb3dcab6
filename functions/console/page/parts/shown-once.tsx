import { Button } from "./button.tsx";
import { Command } from "./command.tsx";
import { Dialog } from "./dialog.tsx";

interface ShownOnceProps {
  readonly title: string;
  /** Where it is needed. */
  readonly text: string;
  readonly label: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A new secret: nobody can read it again. */
export function ShownOnce({ title, text, label, secret, onClose }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>It is shown this once. {text}</p>
      <Command text={secret} label={label} />
      <div class="actions">
        <Button text="Done" class="primary" onClick={onClose} />
      </div>
    </Dialog>
  );
}
