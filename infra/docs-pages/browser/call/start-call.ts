import type { ExampleCall } from "../../../clients/sample/call.ts";
import { type SampledOperation, sampleLanguages, sampleOf } from "../../code/samples.ts";
import { showCode } from "../shown-code.ts";
import { readForm, shownCall } from "./read-form.ts";
import { sendCall } from "./send-call.ts";
import { say, showResponse } from "./show-response.ts";

interface Known {
  readonly operation: SampledOperation;
  readonly call: ExampleCall;
}

/** The console's own place: whoever comes from there is signed in here, too. Closing the tab forgets it. */
const place = "das.console.credentials";

/** Sends what is entered, and shows it in the samples as it is entered. */
export function startCall(): void {
  const form = document.querySelector<HTMLFormElement>("form.try");
  const result = form?.querySelector(".result");
  if (!form || !result) return;
  const { operation, call: example } = JSON.parse(form.dataset.known ?? "") as Known;
  const credentials = form.querySelector<HTMLInputElement>("#credentials");
  if (credentials) credentials.value = sessionStorage.getItem(place) ?? "";
  form.hidden = false;
  const whole = form.querySelector<HTMLTextAreaElement>("[data-place=whole]");
  const required = form.querySelectorAll<HTMLInputElement>("[data-place=body]:required");

  form.addEventListener("input", (event) => {
    for (const control of required) control.required = whole?.value === "";
    if (event.target === credentials) sessionStorage.setItem(place, credentials?.value.trim() ?? "");
    else showSamples(form, operation, example);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const key = credentials?.value.trim() ?? "";
    if (credentials && key === "") {
      say(result, "Enter an API key first.");
      credentials.focus();
      return;
    }
    form.ariaBusy = "true";
    try {
      await showResponse(result, await sendCall(operation, readForm(form, example), key));
    } catch (error) {
      say(result, `Not sent, or without a response: ${(error as Error).message}`);
    } finally {
      form.ariaBusy = null;
    }
  });
}

function showSamples(form: HTMLFormElement, operation: SampledOperation, example: ExampleCall): void {
  let entered: ReturnType<typeof readForm>;
  try {
    entered = readForm(form, example);
  } catch {
    // The samples stay while a JSON text is half written.
    return;
  }
  const call = shownCall(entered, example);
  for (const { id } of sampleLanguages) {
    const code = document.querySelector(`.sample.${id} code`);
    if (code) showCode(code, sampleOf(id, operation, call, location.origin, entered.headers));
  }
}
