import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure } from "../parts/failure.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { hrefOf } from "./place.ts";
import { navigate, usePlace } from "./router.ts";
import type { ItemProps, Section } from "./section.ts";
import { sections } from "./sections.ts";

type Loaded =
  | { readonly kind: "loading" }
  | { readonly kind: "page"; readonly Page: ComponentType<Partial<ItemProps>> }
  | { readonly kind: "failed"; readonly error: unknown };

/** The page of the address: its section's script is loaded first. */
export function SectionPage() {
  const { section: path, item } = usePlace();
  const section = sections.find((each) => each.path === path);
  const load = section === undefined ? undefined : item === undefined ? section.list : section.item;
  useEffect(() => {
    const [first] = sections;
    if (path === "" && first !== undefined) navigate(hrefOf(first.path), { replace: true });
  }, [path]);
  if (path === "" && sections.length > 0) return null;
  if (section === undefined || load === undefined) return <NotHere />;
  return <LoadedPage key={`${path} ${item}`} load={load as Section["list"]} item={item} />;
}

function LoadedPage({ load, item }: { readonly load: Section["list"]; readonly item: string | undefined }) {
  const [loaded, setLoaded] = useState<Loaded>({ kind: "loading" });
  useEffect(() => {
    let isHere = true;
    load().then(
      (Page) => isHere && setLoaded({ kind: "page", Page: Page as ComponentType<Partial<ItemProps>> }),
      (error: unknown) => isHere && setLoaded({ kind: "failed", error }),
    );
    return () => {
      isHere = false;
    };
  }, [load]);
  if (loaded.kind === "loading") return <p class="loading">Loading …</p>;
  if (loaded.kind === "failed") {
    // A new release has other files; the page itself names them.
    return <Failure error={loaded.error} onRetry={() => location.reload()} />;
  }
  const { Page } = loaded;
  return item === undefined ? <Page /> : <Page item={item} />;
}

function NotHere() {
  return (
    <>
      <PageHeader title={sections.length === 0 ? "Console" : "There is no such page"} />
      <p>The sections are in the navigation.</p>
    </>
  );
}
