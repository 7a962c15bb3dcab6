import type { RunResponse } from "../../../../shared/contract/run/run.ts";
import { Facts } from "../parts/facts.tsx";

/** Inputs, the names of secret ones, the output and the usage. */
export function RunValues({ run }: { readonly run: RunResponse }) {
  const secrets = Object.keys(run.sensitive_input_aliases);
  return (
    <section aria-labelledby="values">
      <h2 id="values">Inputs and output</h2>
      <Facts
        isPanel
        of={{
          Task: run.main_prompt && <span class="lines">{run.main_prompt}</span>,
          Inputs: <Values values={run.input_values} />,
          "Secret inputs": secrets.length > 0 && secrets.join(", "),
          Output: run.output_data === null ? "–" : <Json value={run.output_data} />,
          Usage: run.usage_metadata && <Values values={run.usage_metadata} />,
          Metadata: Object.keys(run.metadata).length > 0 && <Values values={run.metadata} />,
        }}
      />
    </section>
  );
}

function Values({ values }: { readonly values: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <>–</>;
  return (
    <ul class="values">
      {entries.map(([name, value]) => (
        <li key={name}>
          <code>{name}</code> {typeof value === "string" ? value : JSON.stringify(value)}
        </li>
      ))}
    </ul>
  );
}

function Json({ value }: { readonly value: unknown }) {
  return <pre>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>;
}
