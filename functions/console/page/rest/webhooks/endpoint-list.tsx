import { useState } from "preact/hooks";
import type { WebhookEndpoint } from "../../../../../shared/contract/webhook/webhook.ts";
import { useCan } from "../../data/service.ts";
import { useCall } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Table } from "../../parts/list/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Show } from "../../parts/show.tsx";
import { Status } from "../../parts/status.tsx";
import { hrefOf } from "../../shell/place.ts";
import { EditEndpoint, ShowSecret } from "./edit-endpoint.tsx";

export function stateOf({ is_enabled, disabled_reason, failing_since }: WebhookEndpoint): string {
  if (!is_enabled) return disabled_reason === null ? "disabled" : `disabled: ${disabled_reason}`;
  return failing_since === null ? "active" : "failing";
}

export function EndpointList() {
  const can = useCan();
  const endpoints = useCall("listWebhookEndpoints");
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | undefined>();
  return (
    <>
      <PageHeader title="Webhooks">
        {can("write") ? (
          <Button text="New endpoint" class="primary" onClick={() => setCreating(true)} />
        ) : null}
      </PageHeader>
      <Show of={endpoints}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty text="No address gets events yet. Runs of workflows with webhooks enabled, and machines, have some." />
          ) : (
            <Table
              caption="Webhook endpoints"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { title: "Address", cell: ({ id, url }) => <a href={hrefOf("webhooks", id)}>{url}</a> },
                { title: "State", cell: (endpoint) => <Status value={stateOf(endpoint)} /> },
                {
                  title: "Events",
                  isMinor: true,
                  cell: ({ event_types }) => (event_types.length === 0 ? "all" : event_types.join(", ")),
                },
                { title: "Changed", isMinor: true, cell: (each) => <RelativeTime at={each.updated_at} /> },
              ]}
            />
          )
        }
      </Show>
      {isCreating ? (
        <EditEndpoint
          onClose={() => setCreating(false)}
          onDone={(shown) => {
            setCreating(false);
            setSecret(shown);
            void endpoints.reload();
          }}
        />
      ) : null}
      {secret === undefined ? null : <ShowSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
