import { type WebhookEventType, webhookEventTypes } from "../../../../../shared/vocabulary/events.ts";
import { CheckList } from "../../parts/form/check-list.tsx";

interface EventTypesProps {
  /** None stands for all of them. */
  readonly chosen: readonly WebhookEventType[];
  readonly onChoose: (chosen: readonly WebhookEventType[]) => void;
}

export function EventTypes({ chosen, onChoose }: EventTypesProps) {
  return (
    <CheckList
      legend="Events (none chosen: all)"
      items={webhookEventTypes}
      chosen={chosen}
      onChoose={onChoose}
    >
      {(type) => <code>{type}</code>}
    </CheckList>
  );
}
