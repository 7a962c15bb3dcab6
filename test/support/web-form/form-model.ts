import type { Action } from "../../../shared/domain/action/action.ts";
import type { SavedInvoice, WebForm } from "./web-form.ts";

/** What is clicked, by its name on the page, what it is called, and what is typed then. */
interface Turn {
  readonly name: string;
  readonly target: string;
  readonly text?: string;
}

const close: Turn = { name: "close", target: "the button that closes what is in front" };
const clear: Turn = { name: "new", target: "the button New" };

/** What has not been done by then never is. */
const callsMax = 24;

/** A model that knows where everything on the form is. */
export class FormModel {
  readonly #form: WebForm;
  /** What the task needs, in its order. */
  readonly #turns: readonly Turn[];
  calls = 0;

  constructor(form: WebForm, { customer, reference, amount }: SavedInvoice) {
    this.#form = form;
    this.#turns = [
      { name: customer, target: `the row of ${customer}` },
      { name: "reference", target: "the field Reference", text: reference },
      { name: "amount", target: "the field Amount", text: amount },
      { name: "save", target: "the button Save" },
    ];
  }

  /**
   * The next action of the task, or, where a recorded step is being repaired, what brings that on.
   *
   * @param said to the model in this conversation.
   * @param nth of the conversation's replies, counted from 1.
   */
  decide(said: string, nth: number): Action {
    this.calls += 1;
    if (this.calls > callsMax) return { type: "fail", reason: "it does not get any further" };
    const [, json] = /(?:as it was recorded: |its next step is done:\n)(\{.*\})\n/.exec(said) ?? [];
    return json === undefined ? this.#work(nth) : this.#repair(JSON.parse(json) as Action);
  }

  /** What the task's clicks are on, in words; counted from 1. */
  describe(nth: number): string {
    this.calls += 1;
    return this.#turns[nth - 1]?.target ?? "nothing";
  }

  #work(nth: number): Action {
    const actions = this.#turns.flatMap((turn): readonly (() => Action)[] => {
      const { text } = turn;
      const clicks = () => this.#click(turn);
      return text === undefined ? [clicks] : [clicks, () => ({ type: "type", text })];
    });
    return actions[nth - 1]?.() ?? { type: "finish" };
  }

  /** What is in front or left over goes away; else the step is done where it is now. */
  #repair(step: Action): Action {
    if (this.#form.isCovered) return this.#click(close);
    if (this.#form.isLeftOver) return this.#click(clear);
    const own = this.#turns.find(({ target }) => step.target?.includes(target));
    return own === undefined
      ? { type: "fail", reason: "the text does not go where it belongs" }
      : this.#click(own);
  }

  #click({ name, target }: Turn): Action {
    return { type: "click", ...this.#form.placeOf(name), target };
  }
}
