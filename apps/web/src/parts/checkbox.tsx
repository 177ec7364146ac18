interface CheckboxProps {
  label: string;
  isChecked: boolean;
  isDisabled?: boolean;
  /** The id of an element that says more. */
  describedBy?: string | undefined;
  onChange: (isChecked: boolean) => void;
}

export function Checkbox({
  label,
  isChecked,
  isDisabled = false,
  describedBy,
  onChange,
}: CheckboxProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
