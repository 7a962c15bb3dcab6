interface TrajectoryMarksProps {
  readonly trajectory: {
    readonly is_approved: boolean;
    readonly is_main?: boolean | undefined;
    readonly verified_at?: string | null | undefined;
  };
}

export function TrajectoryMarks({ trajectory }: TrajectoryMarksProps) {
  const { is_approved, is_main = false, verified_at } = trajectory;
  return (
    <>
      {is_main ? <span class="status status-good">runs replay it</span> : null}
      <span class={is_approved ? "status status-good" : "status"}>
        {is_approved ? "approved" : "not approved"}
      </span>
      <span class={verified_at ? "status status-good" : "status"}>
        {verified_at ? "verified" : "not verified"}
      </span>
    </>
  );
}
