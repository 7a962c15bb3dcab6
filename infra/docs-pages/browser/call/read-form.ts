import type { ExampleCall } from "../../../clients/sample/call.ts";
import type { Control, ControlKind } from "../../try/control.ts";

export interface EnteredCall {
  readonly call: ExampleCall;
  readonly headers: Readonly<Record<string, string>>;
  readonly file?: { readonly field: string; readonly content: File };
}

type FormControl = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

interface Entered {
  readonly place: Control["place"];
  readonly name: string;
  readonly value: unknown;
}

const readers: Readonly<Record<Exclude<ControlKind, "file">, (text: string) => unknown>> = {
  text: (text) => text,
  prose: (text) => text,
  number: Number,
  boolean: (text) => text === "true",
  list: (text) => text.split(",").map((item) => item.trim()),
  pairs: (text) =>
    Object.fromEntries(
      text.split(",").map((pair) => {
        const [name = "", ...value] = pair.trim().split("=");
        return [name, value.join("=")];
      }),
    ),
  json: (text) => JSON.parse(text),
};

/**
 * Returns the entered values without the empty ones.
 *
 * @throws {Error} for a text that is not the JSON that it should be, with its control's name.
 */
export function readForm(form: HTMLFormElement, example: ExampleCall): EnteredCall {
  const controls = [...form.querySelectorAll<FormControl>("[data-place]")];
  const entered = controls.flatMap(readControl);
  const valuesIn = (place: Control["place"]) =>
    Object.fromEntries(entered.filter((one) => one.place === place).map(({ name, value }) => [name, value]));
  const body = valuesIn("body");
  const whole = entered.find(({ place }) => place === "whole");
  const takesBody = controls.some(({ dataset }) => ["body", "whole"].includes(dataset.place ?? ""));
  const file = fileIn(controls);
  const { body: _, ...call } = example;
  return {
    call: {
      ...call,
      path: valuesIn("path"),
      query: valuesIn("query"),
      ...(takesBody && file === undefined && { body: whole === undefined ? body : whole.value }),
    },
    headers: valuesIn("header") as Record<string, string>,
    ...(file && { file }),
  };
}

function readControl({ dataset, value }: FormControl): readonly Entered[] {
  const { place, name = "", kind } = dataset;
  const text = kind === "prose" ? value : value.trim();
  if (text === "" || kind === "file") return [];
  try {
    const read = readers[kind as keyof typeof readers];
    return [{ place: place as Control["place"], name, value: read(text) }];
  } catch {
    throw new Error(`${name} is not JSON: ${text.slice(0, 40)}`);
  }
}

function fileIn(controls: readonly FormControl[]): EnteredCall["file"] {
  const control = controls.find(({ dataset }) => dataset.kind === "file") as HTMLInputElement | undefined;
  const content = control?.files?.[0];
  return content === undefined ? undefined : { field: control?.dataset.name ?? "", content };
}

/** The call as samples show it: what is required and not yet entered has its example. */
export function shownCall({ call }: EnteredCall, example: ExampleCall): ExampleCall {
  const isEmpty = typeof call.body === "object" && call.body !== null && Object.keys(call.body).length === 0;
  return {
    ...call,
    path: { ...example.path, ...call.path },
    query: { ...example.query, ...call.query },
    ...(isEmpty && { body: example.body }),
  };
}
