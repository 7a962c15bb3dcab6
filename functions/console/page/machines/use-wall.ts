import { createContext } from "preact";
import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useService } from "../data/service.ts";
import { createStore, type Store } from "../shell/store.ts";
import { WallLooks } from "./wall-looks.ts";

/** The pictures of a wall's machines, by address; those that went out of view keep theirs. */
export interface Wall {
  readonly pictureOf: (machineId: string) => Store<string | undefined>;
  /** Looks at the machine while the element is in view. @returns a function that ends it. */
  readonly show: (machineId: string, element: Element) => () => void;
}

export const WallContext = createContext<Wall | undefined>(undefined);

/** Pictures of a sharp screen's thumbnail. */
const thumbnailWidth = 480;
/** Cards that are scrolled to have a picture soon. */
const margin = "120px";

export function useWall(): Wall {
  const { client } = useService();
  const { wall, stop } = useMemo(() => {
    const pictures = new Map<string, Store<string | undefined>>();
    const pictureOf = (id: string) => {
      const store = pictures.get(id) ?? createStore<string | undefined>(undefined);
      pictures.set(id, store);
      return store;
    };
    const looks = new WallLooks({
      look: async (machineId, etag, waitMs, signal) =>
        await client.callIfChanged("takeScreenshot", {
          path: { machine_id: machineId },
          query: { width: thumbnailWidth, ...(waitMs > 0 && { wait_ms: waitMs }) },
          ifNoneMatch: etag,
          signal,
        }),
      onPicture: (machineId, png) => {
        const store = pictureOf(machineId);
        const before = store.get();
        store.set(URL.createObjectURL(new Blob([png as BlobPart], { type: "image/png" })));
        // The page shows the old one until the new one is decoded.
        if (before !== undefined) setTimeout(() => URL.revokeObjectURL(before), 2_000);
      },
      isSeen: () => document.visibilityState === "visible",
      after: (ms, callback) => {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
      now: () => performance.now(),
    });
    const ids = new WeakMap<Element, string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const id = ids.get(target);
          if (id === undefined) continue;
          if (isIntersecting) looks.watch(id);
          else looks.unwatch(id);
        }
      },
      { rootMargin: margin },
    );
    const show: Wall["show"] = (machineId, element) => {
      ids.set(element, machineId);
      observer.observe(element);
      return () => {
        observer.unobserve(element);
        looks.unwatch(machineId);
      };
    };
    return {
      wall: { pictureOf, show },
      stop: () => {
        looks.stop();
        observer.disconnect();
        for (const store of pictures.values()) URL.revokeObjectURL(store.get() ?? "");
      },
    };
  }, [client]);
  useEffect(() => stop, [stop]);
  return wall;
}

/** The address of the machine's thumbnail, which is live while the element is in view. */
export function useThumbnail(machineId: string, isOff: boolean) {
  const wall = useContext(WallContext);
  const element = useRef<HTMLDivElement>(null);
  const [url, setUrl] = useState<string | undefined>();
  useEffect(() => {
    if (wall === undefined || isOff || element.current === null) return undefined;
    const store = wall.pictureOf(machineId);
    setUrl(store.get());
    const stops = [store.subscribe(() => setUrl(store.get())), wall.show(machineId, element.current)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [wall, machineId, isOff]);
  return { url, element };
}
