import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError } from "../../../../shared/client/api-error.ts";
import { useService } from "../data/service.ts";
import { ScreenFollower } from "./screen-follower.ts";

export interface ShownScreen {
  /** The address of the newest picture; it stays when the screen can no longer be seen. */
  readonly url: string | undefined;
  readonly error: unknown;
  /** Looks at once, where a pause is being made. */
  readonly lookNow: () => void;
}

interface ScreenOptions {
  readonly isOff: boolean;
  readonly hasPointer: boolean;
}

const waitMs = 10_000;
/** The width of pictures of a display whose own are too large for a response. */
const smallerWidth = 1_920;

/** Follows a machine's screen while the tab is seen. */
export function useScreen(machineId: string, { isOff, hasPointer }: ScreenOptions): ShownScreen {
  const { client } = useService();
  const [url, setUrl] = useState<string | undefined>();
  const [error, setError] = useState<unknown>();
  const follower = useRef<ScreenFollower | undefined>(undefined);
  const pictures = useMemo(() => new PictureAddresses(), [machineId]);
  useEffect(() => () => pictures.forget(), [pictures]);

  useEffect(() => {
    if (isOff) return undefined;
    let isTooLarge = false;
    const look = async (etag: string | undefined, signal: AbortSignal) => {
      const query = {
        cursor: hasPointer,
        ...(etag === undefined ? {} : { wait_ms: waitMs }),
        ...(isTooLarge && { width: smallerWidth }),
      };
      const path = { machine_id: machineId };
      try {
        return await client.callIfChanged("takeScreenshot", { path, query, ifNoneMatch: etag, signal });
      } catch (failure) {
        isTooLarge ||= failure instanceof ApiError && failure.status === 413;
        throw failure;
      }
    };
    const started = new ScreenFollower({
      look,
      onPicture: (png) => setUrl(pictures.add(png)),
      onError: setError,
      isSeen: () => document.visibilityState === "visible",
      after: (ms, callback) => {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
      now: () => performance.now(),
    });
    follower.current = started;
    started.start();
    const lookAgain = () => started.lookNow();
    document.addEventListener("visibilitychange", lookAgain);
    return () => {
      document.removeEventListener("visibilitychange", lookAgain);
      started.stop();
      setError(undefined);
    };
  }, [client, machineId, isOff, hasPointer, pictures]);

  return { url, error, lookNow: () => follower.current?.lookNow() };
}

/** The picture before the newest is kept: the page may still show it. */
class PictureAddresses {
  #kept: readonly string[] = [];

  add(png: Uint8Array): string {
    const url = URL.createObjectURL(new Blob([png as BlobPart], { type: "image/png" }));
    const [old, last] = this.#kept.length > 1 ? this.#kept : [undefined, this.#kept[0]];
    if (old !== undefined) URL.revokeObjectURL(old);
    this.#kept = last === undefined ? [url] : [last, url];
    return url;
  }

  forget(): void {
    for (const url of this.#kept) URL.revokeObjectURL(url);
    this.#kept = [];
  }
}
