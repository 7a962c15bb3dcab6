import type { WebhookDelivery } from "../../../../../shared/contract/webhook/webhook.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { PagedTable } from "../../parts/list/paged-table.tsx";
import { pageSize, useSkip } from "../../parts/list/pager.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Status } from "../../parts/status.tsx";
import { outcomeOf } from "./outcome-of.ts";

/** Deliveries have no topic. */
const everyMs = 5_000;

export function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const can = useCan();
  const skip = useSkip();
  const { act, isBusy } = useAction();
  const path = { endpoint_id: endpointId };
  const deliveries = useCall(
    "listWebhookDeliveries",
    { path, query: { limit: pageSize, skip } },
    { everyMs },
  );
  const redeliver = async ({ id }: WebhookDelivery) => {
    await act(
      "redeliverWebhookDelivery",
      { path: { ...path, delivery_id: id } },
      { done: "It is sent again." },
    );
    await deliveries.reload();
  };
  return (
    <PagedTable
      of={deliveries}
      caption="Deliveries"
      empty={<Empty text="Nothing was sent to it yet." />}
      columns={[
        { title: "Event", cell: ({ event_type }) => <code>{event_type}</code> },
        { title: "Status", cell: ({ status }) => <Status value={status} /> },
        {
          title: "Attempts",
          cell: ({ attempts }) => (
            <details>
              <summary>
                {attempts.length} {attempts.length === 0 ? "" : `(${outcomeOf(attempts.at(-1))})`}
              </summary>
              <ol>
                {attempts.map((attempt) => (
                  <li key={attempt.attempted_at}>
                    <RelativeTime at={attempt.attempted_at} />: {outcomeOf(attempt)}
                  </li>
                ))}
              </ol>
            </details>
          ),
        },
        {
          title: "Next attempt",
          isMinor: true,
          cell: (each) => <RelativeTime at={each.next_attempt_at} />,
        },
        {
          title: "Event's time",
          isMinor: true,
          cell: (each) => <RelativeTime at={each.created_at} />,
        },
        {
          title: "Again",
          cell: (delivery) =>
            can("write") && delivery.status !== "pending" ? (
              <Button text="Send again" class="small" disabled={isBusy} onClick={() => redeliver(delivery)} />
            ) : null,
        },
      ]}
    />
  );
}
