interface CheckboxProps {
  label: string;
  isChecked: boolean;
  /** The id of an element that says more. */
  describedBy?: string;
  onChange: (isChecked: boolean) => void;
}

export function Checkbox({ label, isChecked, describedBy, onChange }: CheckboxProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isChecked}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
