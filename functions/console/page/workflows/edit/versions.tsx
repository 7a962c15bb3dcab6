import type { Tagged } from "../../data/call-any.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { Difference } from "../../parts/changes/difference.tsx";
import { Empty } from "../../parts/empty.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Show } from "../../parts/show.tsx";

interface VersionsProps {
  readonly workflow: Tagged<{ readonly id: string; readonly main_prompt: string }>;
  readonly onRestored: () => void;
}

/** The newest ones suffice for people; the API has them all. */
const shownMax = 50;

/** Earlier prompts, each with what the next one changed. */
export function Versions({ workflow: { body, etag }, onRestored }: VersionsProps) {
  const can = useCan();
  const { act, isBusy } = useAction();
  const path = { workflow_id: body.id };
  const versions = useCall("listWorkflowVersions", { path, query: { limit: shownMax } });
  const restore = async (main_prompt: string) => {
    const done = "The earlier prompt is the workflow's again.";
    const restored = await act("updateWorkflow", { path, body: { main_prompt }, ifMatch: etag }, { done });
    if (restored === undefined) return;
    onRestored();
    await versions.reload();
  };
  return (
    <Show of={versions}>
      {(earlier) =>
        earlier.length === 0 ? (
          <Empty text="The prompt has not been changed yet. Earlier ones will be here, with what was changed." />
        ) : (
          <ol class="versions" aria-label="Earlier prompts">
            {earlier.map(({ id, main_prompt, replaced_at }, at) => (
              <li key={id} class="panel">
                <header>
                  <h2>
                    Changed <RelativeTime at={replaced_at} />
                  </h2>
                  {can("write") ? (
                    <Button
                      text="Go back to before this"
                      class="small"
                      disabled={isBusy}
                      onClick={() => restore(main_prompt)}
                    />
                  ) : null}
                </header>
                <Difference before={main_prompt} after={earlier[at - 1]?.main_prompt ?? body.main_prompt} />
              </li>
            ))}
          </ol>
        )
      }
    </Show>
  );
}
