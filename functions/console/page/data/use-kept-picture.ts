import { useEffect, useState } from "preact/hooks";
import { useService } from "./service.ts";

export interface KeptPicture {
  /** Undefined while it loads, and where it is gone. */
  readonly url: string | undefined;
  readonly headers: Headers | undefined;
}

const none: KeptPicture = { url: undefined, headers: undefined };

/**
 * A picture that the API gives to those with credentials, as an address for an image.
 *
 * @param path undefined: there is none.
 */
export function useKeptPicture(path: string | undefined): KeptPicture {
  const { fetch } = useService();
  const [picture, setPicture] = useState(none);
  useEffect(() => {
    if (path === undefined) return undefined;
    const stopped = new AbortController();
    let url: string | undefined;
    const load = async () => {
      const response = await fetch(path, { signal: stopped.signal });
      if (!response.ok) return;
      const blob = await response.blob();
      if (stopped.signal.aborted) return;
      url = URL.createObjectURL(blob);
      setPicture({ url, headers: response.headers });
    };
    // A picture that is gone leaves an empty frame: the step's words stay.
    load().catch(() => undefined);
    return () => {
      stopped.abort();
      setPicture(none);
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [fetch, path]);
  return picture;
}
