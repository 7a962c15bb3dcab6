import { useAction } from "../data/use-action.ts";
import { useCall } from "../data/use-call.ts";
import { Button } from "../parts/button.tsx";
import { Table } from "../parts/list/table.tsx";
import { Show } from "../parts/show.tsx";

interface RunFilesProps {
  readonly runId: string;
  readonly isOver: boolean;
}

const shownMax = 100;
const everyMs = 10_000;

export function RunFiles({ runId, isOver }: RunFilesProps) {
  const { act, isBusy } = useAction();
  const files = useCall(
    "listRunAttachments",
    { query: { run_id: runId, limit: shownMax } },
    { ...(!isOver && { everyMs }) },
  );
  const download = async (attachment_id: string) => {
    const link = await act("getRunAttachmentDownloadUrl", { path: { attachment_id } });
    if (link !== undefined) location.assign(link.body.url);
  };
  return (
    <Show of={files}>
      {({ items }) =>
        items.length === 0 ? null : (
          <>
            <h2>Files</h2>
            <Table
              caption="Files of the run"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { title: "File", cell: ({ filename }) => filename },
                { title: "Way", cell: ({ attachment_type }) => attachment_type },
                {
                  title: "Bytes",
                  isNumber: true,
                  isMinor: true,
                  cell: ({ size_bytes }) => size_bytes ?? "–",
                },
                {
                  title: "Get",
                  cell: ({ id }) => (
                    <Button text="Download" class="small" disabled={isBusy} onClick={() => download(id)} />
                  ),
                },
              ]}
            />
          </>
        )
      }
    </Show>
  );
}
