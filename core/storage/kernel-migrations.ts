/** The folder of the migrations of the kernel's own tables. */
export const KERNEL_MIGRATIONS = new URL('./migrations/', import.meta.url)
