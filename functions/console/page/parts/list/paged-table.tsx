import type { ComponentChildren } from "preact";
import type { Resource } from "../../data/use-call.ts";
import { Show } from "../show.tsx";
import { Pager, useSkip } from "./pager.tsx";
import { type Column, Table } from "./table.tsx";

interface PagedTableProps<Row> {
  readonly of: Resource<{ readonly items: readonly Row[]; readonly total: number }>;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Stands for a table without rows. */
  readonly empty: ComponentChildren;
}

/** The page of a list that the address names. */
export function PagedTable<Row extends { readonly id: string }>(props: PagedTableProps<Row>) {
  const { of, caption, columns, empty } = props;
  const skip = useSkip();
  return (
    <Show of={of}>
      {({ items, total }) =>
        total === 0 ? (
          empty
        ) : (
          <>
            <Table caption={caption} rows={items} keyOf={({ id }) => id} columns={columns} />
            <Pager skip={skip} shown={items.length} total={total} />
          </>
        )
      }
    </Show>
  );
}
