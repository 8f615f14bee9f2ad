"""What boards receive and what they answer, as bytes: pure coding, no port, no thread, no clock."""
