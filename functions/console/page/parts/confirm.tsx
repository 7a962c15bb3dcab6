import { createStore, useStore } from "../shell/store.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface Question {
  readonly title: string;
  /** What will be lost. */
  readonly text: string;
  /** The button's text: the verb, such as "Delete". */
  readonly verb: string;
}

const asked = createStore<(Question & { readonly answer: (isSure: boolean) => void }) | undefined>(undefined);

/** Asks once before something is destroyed. */
export function confirm(question: Question): Promise<boolean> {
  asked.get()?.answer(false);
  return new Promise((resolve) => {
    const answer = (isSure: boolean) => {
      asked.set(undefined);
      resolve(isSure);
    };
    asked.set({ ...question, answer });
  });
}

export function ConfirmHost() {
  const question = useStore(asked);
  if (question === undefined) return null;
  const { title, text, verb, answer } = question;
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <p>{text}</p>
      <div class="actions">
        <Button text="Cancel" onClick={() => answer(false)} />
        <Button text={verb} class="danger" onClick={() => answer(true)} />
      </div>
    </Dialog>
  );
}
