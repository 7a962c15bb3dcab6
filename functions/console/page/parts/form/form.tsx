import type { ComponentProps } from "preact";

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  readonly onSubmit: () => unknown;
}

/** The page itself sends what the form says. */
export function Form({ onSubmit, ...others }: FormProps) {
  return (
    <form
      {...others}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    />
  );
}
