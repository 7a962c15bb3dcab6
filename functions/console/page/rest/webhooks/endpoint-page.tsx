import { useState } from "preact/hooks";
import type { WebhookEndpoint, WebhookTestResult } from "../../../../../shared/contract/webhook/webhook.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Facts } from "../../parts/facts.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Show } from "../../parts/show.tsx";
import { Status } from "../../parts/status.tsx";
import { hrefOf } from "../../shell/place.ts";
import { navigate } from "../../shell/router.ts";
import type { ItemProps } from "../../shell/section.ts";
import { Deliveries } from "./deliveries.tsx";
import { EditEndpoint, ShowSecret } from "./edit-endpoint.tsx";
import { stateOf } from "./endpoint-list.tsx";
import { outcomeOf } from "./outcome-of.ts";

export function EndpointPage({ item: endpoint_id }: ItemProps) {
  const can = useCan();
  const endpoint = useCall("getWebhookEndpoint", { path: { endpoint_id } });
  return (
    <>
      <PageHeader
        title={endpoint.data?.url ?? "Webhook endpoint"}
        back={{ href: hrefOf("webhooks"), text: "Webhooks" }}
      />
      <Show of={endpoint}>
        {(shown) => (
          <>
            <EndpointFacts endpoint={shown} />
            {can("write") ? (
              <EndpointActions endpoint={shown} onChange={() => void endpoint.reload()} />
            ) : null}
          </>
        )}
      </Show>
      <h2>Deliveries</h2>
      <Deliveries endpointId={endpoint_id} />
    </>
  );
}

function EndpointFacts({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { description, event_types, failing_since, previous_secret_expires_at } = endpoint;
  return (
    <Facts
      isPanel
      of={{
        State: <Status value={stateOf(endpoint)} />,
        Description: description || "–",
        Events: event_types.length === 0 ? "all" : event_types.join(", "),
        "Failing since": failing_since && <RelativeTime at={failing_since} />,
        "Old secret good until": previous_secret_expires_at && (
          <RelativeTime at={previous_secret_expires_at} />
        ),
      }}
    />
  );
}

interface EndpointActionsProps {
  readonly endpoint: WebhookEndpoint;
  readonly onChange: () => void;
}

function EndpointActions({ endpoint, onChange }: EndpointActionsProps) {
  const { act, isBusy } = useAction();
  const [isEditing, setEditing] = useState(false);
  const [secret, setSecret] = useState<string | undefined>();
  const [tested, setTested] = useState<WebhookTestResult | undefined>();
  const path = { endpoint_id: endpoint.id };
  const test = async () => setTested((await act("testWebhookEndpoint", { path }))?.body);
  const enable = async () => {
    const done = endpoint.is_enabled ? "Nothing is sent to it any more." : "Events are sent to it.";
    await act("updateWebhookEndpoint", { path, body: { is_enabled: !endpoint.is_enabled } }, { done });
    onChange();
  };
  const rotate = async () => {
    const text = "The old secret is good for 24 hours more: events are signed with both.";
    if (!(await confirm({ title: "Make a new signing secret?", text, verb: "Rotate" }))) return;
    setSecret((await act("rotateWebhookSecret", { path }))?.body.secret);
    onChange();
  };
  const remove = async () => {
    const text = "What was not delivered yet is not sent any more.";
    if (!(await confirm({ title: "Delete this endpoint?", text, verb: "Delete" }))) return;
    const done = await act("deleteWebhookEndpoint", { path }, { done: "The endpoint is deleted." });
    if (done !== undefined) navigate(hrefOf("webhooks"));
  };
  return (
    <>
      <div class="actions">
        <Button text="Send a test" class="primary" disabled={isBusy} onClick={test} />
        <Button text="Edit" onClick={() => setEditing(true)} />
        <Button text={endpoint.is_enabled ? "Disable" : "Enable"} disabled={isBusy} onClick={enable} />
        <Button text="Rotate the secret" disabled={isBusy} onClick={rotate} />
        <Button text="Delete" class="danger" disabled={isBusy} onClick={remove} />
      </div>
      <div role="status">{tested === undefined ? null : <TestResult result={tested} />}</div>
      {isEditing ? (
        <EditEndpoint
          endpoint={endpoint}
          onClose={() => setEditing(false)}
          onDone={() => {
            setEditing(false);
            onChange();
          }}
        />
      ) : null}
      {secret === undefined ? null : <ShowSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function TestResult({ result }: { readonly result: WebhookTestResult }) {
  return (
    <div class="panel">
      <p>
        <Status value={result.is_delivered ? "delivered" : "failed"} /> {outcomeOf(result)}
      </p>
      {result.response_body === "" ? null : <pre>{result.response_body}</pre>}
    </div>
  );
}
