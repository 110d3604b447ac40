"""Run-time diagnostics and quality limits."""
