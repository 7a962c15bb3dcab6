import { useState } from "preact/hooks";
import { fileBytesMax, inlineFileBytesMax } from "../../../../shared/vocabulary/drivers.ts";
import { base64Of, bytesOf } from "../data/file-bytes.ts";
import { putFile } from "../data/put-file.ts";
import { useService } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { useCall } from "../data/use-call.ts";
import { Button } from "../parts/button.tsx";
import { type Column, Table } from "../parts/list/table.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Show } from "../parts/show.tsx";
import { sayDone, sayFailure } from "../parts/toasts.tsx";
import { bytesInWords, folderAbove, joinPath } from "./file-words.ts";

interface MachineFilesProps {
  readonly machineId: string;
  readonly isConnected: boolean;
}

interface FileRow {
  readonly name: string;
  readonly path: string;
  readonly is_dir: boolean;
  readonly size: number;
  readonly modified: string;
}

/** The files below the driver's root, read while it is open. */
export function MachineFiles({ machineId, isConnected }: MachineFilesProps) {
  const { client } = useService();
  const { act } = useAction();
  const [isOpen, setOpen] = useState(false);
  const [folder, setFolder] = useState(".");
  const [uploading, setUploading] = useState<string>();
  const files = useCall(
    "listFiles",
    { path: { machine_id: machineId }, query: { path: folder } },
    { isOff: !isOpen || !isConnected },
  );
  const download = async ({ path, name, size }: FileRow) => {
    const as = size > inlineFileBytesMax ? "url" : "inline";
    try {
      const file = await client.call("readFile", { path: { machine_id: machineId }, query: { path, as } });
      if ("content" in file) save(name, URL.createObjectURL(new Blob([bytesOf(file.content)])));
      else save(name, file.url);
    } catch (failure) {
      sayFailure(failure);
    }
  };
  /** The file itself, or where a large one was put; `undefined` when that was refused. */
  const contentOf = async (file: File) => {
    if (file.size <= inlineFileBytesMax) return { content: await base64Of(file) };
    if (file.size > fileBytesMax) throw new Error(`${file.name} is larger than 100 MB`);
    const body = { filename: file.name, size: file.size };
    const created = await act("createUpload", { path: { machine_id: machineId }, body });
    if (created === undefined) return undefined;
    await putFile(created.body, file);
    return { upload_id: created.body.upload_id };
  };
  const upload = async (file: File) => {
    setUploading(file.name);
    try {
      const content = await contentOf(file);
      if (content === undefined) return;
      const body = { path: joinPath(folder, file.name), mode: "write" as const, ...content };
      const done = await act("writeFile", { path: { machine_id: machineId }, body });
      if (done === undefined) return;
      sayDone(`${file.name} is on the desktop.`);
      await files.reload();
    } catch (failure) {
      sayFailure(failure);
    } finally {
      setUploading(undefined);
    }
  };
  const columns: readonly Column<FileRow>[] = [
    {
      title: "Name",
      cell: (file) => (
        <Button
          text={file.is_dir ? `${file.name}/` : file.name}
          class="link"
          onClick={() => (file.is_dir ? setFolder(file.path) : void download(file))}
        />
      ),
    },
    { title: "Size", isNumber: true, cell: ({ is_dir, size }) => (is_dir ? "" : bytesInWords(size)) },
    { title: "Changed", isMinor: true, cell: ({ modified }) => <RelativeTime at={modified} /> },
  ];
  return (
    <details class="panel fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Files</h2>
      </summary>
      <div class="actions">
        <code>{folder}</code>
        {folder === "." ? null : (
          <Button text="Up" class="small" onClick={() => setFolder(folderAbove(folder))} />
        )}
        <label class="button small upload">
          Upload a file
          <input
            type="file"
            disabled={uploading !== undefined || !isConnected}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file !== undefined) void upload(file);
              currentTarget.value = "";
            }}
          />
        </label>
        <span role="status">{uploading === undefined ? "" : `Uploading ${uploading} …`}</span>
      </div>
      {isOpen && isConnected ? (
        <Show of={files}>
          {({ items }) =>
            items.length === 0 ? (
              <p class="hint">The folder is empty.</p>
            ) : (
              <Table caption="Files" columns={columns} rows={items} keyOf={({ path }) => path} />
            )
          }
        </Show>
      ) : null}
    </details>
  );
}

function save(name: string, href: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
  if (href.startsWith("blob:")) setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
