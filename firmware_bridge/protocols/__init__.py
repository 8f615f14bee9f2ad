"""What boards are told and what they answer, as bytes: pure coding, no port, no thread, no clock."""
