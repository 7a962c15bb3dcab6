import { useCall } from "../../data/use-call.ts";
import { Field } from "../../parts/form/field.tsx";
import { Table } from "../../parts/list/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Show } from "../../parts/show.tsx";
import { setQuery, usePlace } from "../../shell/router.ts";
import { Bars } from "./bars.tsx";
import { lastDays } from "./days.ts";

const daysShown = 30;

const words = new Intl.NumberFormat("en");

export function UsagePage() {
  const { query } = usePlace();
  const { from_date, to_date } = { ...lastDays(daysShown, Date.now()), ...query };
  const usage = useCall("aggregateUsage", { query: { from_date, to_date } });
  return (
    <>
      <PageHeader title="Usage" />
      <div class="filters">
        <DayFilter name="from_date" label="From" day={from_date} />
        <DayFilter name="to_date" label="To" day={to_date} />
      </div>
      <Show of={usage}>
        {({ runs, steps, tokens, runs_counted }) => (
          <>
            <section class="panel">
              <h2>{words.format(runs_counted)} ended runs</h2>
              <Bars caption="Runs by their end" counts={runs} />
            </section>
            <section class="panel">
              <h2>Steps</h2>
              <Bars caption="Steps by who decided them" counts={steps} />
            </section>
            <h2>Tokens</h2>
            {tokens.length === 0 ? (
              <p>No model was asked.</p>
            ) : (
              <Table
                caption="Tokens by model"
                rows={tokens}
                keyOf={({ provider, model }) => `${provider} ${model}`}
                columns={[
                  { title: "Model", cell: ({ provider, model }) => `${model} (${provider})` },
                  { title: "Read", isNumber: true, cell: (each) => words.format(each.input_tokens) },
                  {
                    title: "Of these cached",
                    isNumber: true,
                    cell: (each) => words.format(each.cached_tokens),
                  },
                  { title: "Written", isNumber: true, cell: (each) => words.format(each.output_tokens) },
                ]}
              />
            )}
          </>
        )}
      </Show>
    </>
  );
}

interface DayFilterProps {
  readonly name: "from_date" | "to_date";
  readonly label: string;
  readonly day: string;
}

function DayFilter({ name, label, day }: DayFilterProps) {
  return (
    <Field label={label} hint="A day in UTC.">
      {(control) => (
        <input
          {...control}
          type="date"
          value={day}
          onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
}
