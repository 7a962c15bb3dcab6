import { type WebhookEventType, webhookEventTypes } from "../../../../../shared/vocabulary/events.ts";

interface EventTypesProps {
  /** None stands for all of them. */
  readonly chosen: readonly WebhookEventType[];
  readonly onChoose: (chosen: readonly WebhookEventType[]) => void;
}

export function EventTypes({ chosen, onChoose }: EventTypesProps) {
  return (
    <fieldset>
      <legend>Events (none chosen: all)</legend>
      {webhookEventTypes.map((type) => (
        <label key={type} class="choice">
          <input
            type="checkbox"
            checked={chosen.includes(type)}
            onChange={(event) =>
              onChoose(
                event.currentTarget.checked ? [...chosen, type] : chosen.filter((each) => each !== type),
              )
            }
          />
          <code>{type}</code>
        </label>
      ))}
    </fieldset>
  );
}
