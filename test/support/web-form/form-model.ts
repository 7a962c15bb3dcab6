import type { Action } from "../../../shared/domain/action/action.ts";
import type { SavedInvoice, WebForm } from "./web-form.ts";

interface Turn {
  readonly name: string;
  readonly target: string;
  readonly text?: string;
}

const close: Turn = { name: "close", target: "the button that closes what is in front" };
const clear: Turn = { name: "new", target: "the button New" };

/** A model that has not finished after this many calls never does. */
const callsMax = 24;

/** A model that knows where everything on the form is. */
export class FormModel {
  readonly #form: WebForm;
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
   * The next action of the task, or, where a recorded step is being repaired, one that makes it possible.
   *
   * @param said the text sent to the model in this conversation.
   * @param nth number of the conversation's reply, counted from 1.
   */
  decide(said: string, nth: number): Action {
    this.calls += 1;
    if (this.calls > callsMax) return { type: "fail", reason: "it does not get any further" };
    const [, json] = /(?:as it was recorded: |its next step is done:\n)(\{.*\})\n/.exec(said) ?? [];
    return json === undefined ? this.#work(nth) : this.#repair(JSON.parse(json) as Action);
  }

  /** Describes the element of the task's nth click, counted from 1. */
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
