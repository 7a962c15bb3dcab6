import { useState } from "preact/hooks";
import { useService } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { useCall } from "../data/use-call.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Show } from "../parts/show.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { sayDone, sayFailure } from "../parts/toasts.tsx";
import { bytesInWords, folderAbove, inlineBytesMax, joinPath } from "./file-words.ts";

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
  const { act, isBusy } = useAction();
  const [isOpen, setOpen] = useState(false);
  const [folder, setFolder] = useState(".");
  const files = useCall(
    "listFiles",
    { path: { machine_id: machineId }, query: { path: folder } },
    { isOff: !isOpen || !isConnected },
  );
  const download = async ({ path, name, size }: FileRow) => {
    const as = size > inlineBytesMax ? "url" : "inline";
    try {
      const file = await client.call("readFile", { path: { machine_id: machineId }, query: { path, as } });
      if ("content" in file) save(name, URL.createObjectURL(new Blob([bytesOf(file.content)])));
      else save(name, file.url);
    } catch (failure) {
      sayFailure(failure);
    }
  };
  const upload = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > inlineBytesMax) {
      sayFailure(new Error(`${file.name} is larger than 4 MB: createUpload and writeFile take up to 100 MB`));
      return;
    }
    const content = base64Of(new Uint8Array(await file.arrayBuffer()));
    const path = joinPath(folder, file.name);
    const done = await act("writeFile", {
      path: { machine_id: machineId },
      body: { path, content, mode: "write" },
    });
    if (done === undefined) return;
    sayDone(`${file.name} is on the desktop.`);
    await files.reload();
  };
  const columns: readonly Column<FileRow>[] = [
    {
      title: "Name",
      cell: (file) => (
        <button
          type="button"
          class="link"
          onClick={() => (file.is_dir ? setFolder(file.path) : void download(file))}
        >
          {file.is_dir ? `${file.name}/` : file.name}
        </button>
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
          <button type="button" class="small" onClick={() => setFolder(folderAbove(folder))}>
            Up
          </button>
        )}
        <label class="button small upload">
          Upload a file
          <input
            type="file"
            disabled={isBusy || !isConnected}
            onChange={({ currentTarget }) => {
              void upload(currentTarget.files?.[0]);
              currentTarget.value = "";
            }}
          />
        </label>
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

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  // An argument list has a bounded length.
  for (let at = 0; at < bytes.length; at += 32_768) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
  }
  return btoa(parts.join(""));
}
